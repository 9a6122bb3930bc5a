import { readConfig } from './platform/config.ts'
import { reportAndExit } from './platform/report.ts'
import { refuseArguments } from './refuse-arguments.ts'

refuseArguments(process.argv.slice(2))
const { serve } = await import('./serve.ts')
await serve(readConfig).catch(reportAndExit)
