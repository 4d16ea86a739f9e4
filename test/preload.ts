// Tests never depend on the machine's zone or locale.
process.env.TZ = 'UTC'
