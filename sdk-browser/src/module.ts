export { init } from './client.ts'
export type * from './options.ts'
