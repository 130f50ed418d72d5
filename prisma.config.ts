import { defineConfig } from 'prisma/config';

// The Prisma CLI downloads a native schema engine unless it is told of one. Nothing we use the CLI for
// (generate, validate, format, studio) runs it, and migrations are applied in-process (src/db/migrate.ts):
// naming any executable keeps the command line offline.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;

export default defineConfig({ schema: 'prisma/schema.prisma' });
