import { explaining, openInstallation } from './installation.ts'
import type { Config } from './platform/config.ts'
import { allocateOpenFiles } from './platform/http/open-files.ts'
import { createLog } from './platform/log.ts'
import { Supervised } from './platform/processes/supervised.ts'
import { setTracer } from './platform/tracing/trace.ts'
import { drainsAt, stopOnSignal, warnOfSettings } from './process-life.ts'

/**
 * Opens and migrates the database, starts the API and the worker, and runs until a signal stops the
 * server.
 */
export async function serve(config: Config): Promise<void> {
  const startedAt = performance.now()
  const log = createLog(config.logLevel, config.processName)
  const supervised = config.processName === null ? null : new Supervised(config.processName, log)
  if (!supervised) warnOfSettings(log)
  const stopping = stopOnSignal(log, config.drainSeconds)
  try {
    if (config.traces) {
      const { openTracer } = await import('./platform/tracing/open-telemetry.ts')
      const { tracer, stop } = openTracer(config.traces, log)
      setTracer(tracer)
      stopping.add(stop)
    }
    // First, because other work could open no files meanwhile.
    allocateOpenFiles()
    const opening = openInstallation(config, log, supervised ? 'guest' : 'server')
    // Loading this code takes as long as PostgreSQL takes to start.
    const loading = Promise.all([import('./app.ts'), import('./greeting.ts')])
    const installation = await opening
    stopping.add(async () => installation.embedded?.stop('fast'))
    const [{ startApp }, { greeting }] = await loading
    const { databaseUrl, rootKey } = installation
    const app = await explaining(installation, startApp(config, log, databaseUrl, rootKey, {}, supervised))
    stopping.add(async (signal) => {
      if (drainsAt(signal)) await app.drain()
      await app.close()
    })
    const greet = async (processes: string | null) => {
      process.stdout.write(await greeting(app, installation, { processes, startedAt }))
    }
    if (!supervised) return await greet(null)
    if (config.processName === greetingProcess)
      supervised.onAllRun((processes) => {
        greet(processes).catch((error) => log.error({ err: error }, 'the links of the start were not made'))
      })
    supervised.noteReady()
  } catch (error) {
    // If a signal stopped the start, its handler ends the process.
    if (!stopping.begun()) throw error
  }
}

/** Of several processes, this one prints the greeting. */
const greetingProcess = 'api-1'
