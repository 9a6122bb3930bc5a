import { readConfig } from './platform/config.ts'
import { reportAndExit } from './platform/report.ts'
import { refuseArguments } from './refuse-arguments.ts'
import { serve } from './serve.ts'

refuseArguments(process.argv.slice(2))
await serve(readConfig).catch(reportAndExit)
