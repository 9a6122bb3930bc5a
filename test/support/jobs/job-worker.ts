// Runs the tests' own jobs and the server's jobs.
import { startApp } from '../../../src/app.ts'
import { readConfig } from '../../../src/platform/config.ts'
import { createLog } from '../../../src/platform/log.ts'
import { testKey } from '../database.ts'
import { testJobs } from './job-kinds.ts'

const config = { ...readConfig(), role: 'worker' } as const
const app = await startApp(config, createLog('warn'), config.databaseUrl!, testKey)
await app.worker?.work(testJobs, app.context)
process.on('SIGTERM', () => app.close().then(() => process.exit(0)))
process.stdout.write('working\n')
