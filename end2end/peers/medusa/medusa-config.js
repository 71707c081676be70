// A Medusa shop without admin UI, for tests: server.mjs starts it, with its database in DATABASE_URL.
const { defineConfig } = require('@medusajs/framework/utils');

module.exports = defineConfig({
  admin: { disable: true },
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    databaseDriverOptions: { connection: { ssl: false } },
    http: { jwtSecret: 'test', cookieSecret: 'test', storeCors: '', adminCors: '', authCors: '' },
  },
  modules: [
    { resolve: '@medusajs/medusa/payment', options: { providers: [{ resolve: require.resolve('./test-payment.js'), id: 'test' }] } },
  ],
});
