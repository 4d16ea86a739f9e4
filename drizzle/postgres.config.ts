export default { dialect: 'postgresql', schema: './src/db/postgres-schema.ts', out: './drizzle/postgres' }
