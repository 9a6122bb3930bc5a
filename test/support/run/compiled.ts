import { join } from 'node:path'
import { projectRoot } from '../../../src/platform/config.ts'

/** NODE_COMPILE_CACHE: dozens of processes load the same files in every run. */
export const compiled: string = join(projectRoot, 'node_modules/.cache/crosswalk-tests')
