import { counterHandlers } from './counters.ts'
import { openInstallation } from './installation.ts'
import type { Config } from './platform/config.ts'
import { createLog, readable } from './platform/log.ts'
import { type Part, Supervisor } from './platform/processes/supervisor.ts'
import { OperatorError } from './platform/report.ts'
import { connectionRoom, connectionsOfProcess } from './platform/setup/connection-room.ts'
import { stopOnSignal, warnOfSettings } from './process-life.ts'

/**
 * Starts the processes of `config.apiProcesses` that serve the API, and one for background jobs if the role is `all`. Runs
 * until a signal stops it. This process opens the embedded database, accepts the connections and counts for the
 * limits.
 */
export async function supervise(config: Config): Promise<void> {
  const log = createLog(config.logLevel)
  warnOfSettings(log)
  const stopping = stopOnSignal(log, config.drainSeconds)
  const installation = await openInstallation(config, log, 'server')
  stopping.add(async () => installation.embedded?.stop('fast'))
  const works = config.role === 'all'
  const count = await fittingCount(config, installation.databaseUrl, works ? 1 : 0)
  const supervisor = new Supervisor({
    log,
    handlers: counterHandlers(),
    writeLog: process.stderr.isTTY
      ? (line) => process.stderr.write(readable(line))
      : (line) => process.stderr.write(line),
    onFailedStart: () => process.exit(1),
  })
  stopping.add((signal) => supervisor.stop(signal))
  const names = Array.from({ length: count }, (_, index) => `api-${index + 1}`)
  await supervisor.start(names.map((name): Part => ({ name, servesApi: true, env: { ROLE: 'api' } })))
  // Start the worker last: if the address is in use, the start fails before any process has claimed jobs.
  if (works) await supervisor.start([{ name: 'worker', servesApi: false, env: { ROLE: 'worker' } }])
  supervisor.noteAllRun(`${count} for the API${works ? ', and one for background jobs' : ''}`)
}

/**
 * How many API processes to start, so that PostgreSQL has connections for all processes. Through a pooler in transaction
 * mode, processes share connections.
 * @throws OperatorError if the setting is a number that is too large
 */
async function fittingCount(config: Config, databaseUrl: string, others: number): Promise<number> {
  const { count, isAuto } = config.apiProcesses
  if (config.pooler === 'transaction') return count
  const room = await connectionRoom(databaseUrl)
  const fitting = Math.floor(room / connectionsOfProcess) - others
  if (count <= fitting) return count
  if (isAuto) return Math.max(1, fitting)
  const needed = (count + others) * connectionsOfProcess
  throw new OperatorError(
    `API_PROCESSES=${count} needs up to ${needed} connections, and PostgreSQL allows ${room}: raise max_connections of ` +
      `PostgreSQL by ${needed - room}, or set API_PROCESSES to ${Math.max(1, fitting)} or auto.`,
  )
}
