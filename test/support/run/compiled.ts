import { join } from 'node:path'
import { projectRoot } from '../../../src/platform/config.ts'

/** NODE_COMPILE_CACHE for the dozens of processes that load the same files. */
export const compiled: string = join(projectRoot, 'node_modules/.cache/crosswalk-tests')
