import { readConfig } from './platform/config.ts'
import { reportAndExit } from './platform/report.ts'
import { serve } from './serve.ts'

await serve(readConfig).catch(reportAndExit)
