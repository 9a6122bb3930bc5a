import { join } from 'node:path'
import { projectRoot } from '../../../src/platform/config.ts'

/**
 * The folder in which Node keeps compiled code (NODE_COMPILE_CACHE). Dozens of processes load the same files in every
 * run.
 */
export const compiled: string = join(projectRoot, 'node_modules/.cache/crosswalk-tests')
