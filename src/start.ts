import type { Config } from './platform/config.ts'

/**
 * Runs the server until a signal stops it: in this process, or in several processes that this one supervises
 * (`config.apiProcesses`).
 */
export async function start(configure: () => Config): Promise<void> {
  const config = configure()
  const isSupervisor =
    config.apiProcesses.count > 1 && config.role !== 'worker' && config.processName === null
  // The supervisor never loads the server: that saves about 100 MB.
  if (isSupervisor) await (await import('./supervise.ts')).supervise(config)
  else await (await import('./serve.ts')).serve(config)
}
