export default { dialect: 'sqlite', schema: './src/db/sqlite-schema.ts', out: './drizzle/sqlite' }
