import { join } from 'node:path'
import { projectRoot } from '../../../src/platform/config.ts'

/** Where Node keeps what it compiled (NODE_COMPILE_CACHE): dozens of processes load the same files, run after run. */
export const compiled: string = join(projectRoot, 'node_modules/.cache/crosswalk-tests')
