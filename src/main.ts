import { readConfig } from './platform/config.ts'
import { reportAndExit } from './platform/report.ts'
import { refuseArguments } from './refuse-arguments.ts'

refuseArguments(process.argv.slice(2))
const { start } = await import('./start.ts')
await start(readConfig).catch(reportAndExit)
