import type { Config } from '../platform/config.ts'

export type Facts = Record<string, string | number | boolean | null>

/** A server makes the partitions of the next 4 months. */
const eventLogRoomMs = 60 * 86_400_000
const clockToleranceSeconds = 10

/** The warnings of `doctor` about the database, each with the remedy. */
export function databaseWarnings(
  { replication, archiving, pooler, event_log_until: until, clock_seconds_ahead: ahead }: Facts,
  config: Pick<Config, 'databaseUrl' | 'directDatabaseUrl' | 'pooler'>,
): string[] {
  return [
    ...replicationWarnings(replication),
    ...archivingWarnings(archiving, config),
    ...poolerWarnings(pooler, config),
    ...eventLogWarnings(until),
    ...clockWarnings(ahead),
  ]
}

function replicationWarnings(replication: Facts[string] | undefined): string[] {
  if (replication !== 'asynchronous') return []
  return [
    'Replication is asynchronous. The loss of the primary can lose changes that clients saw as successful: set ' +
      'synchronous_standby_names (Patroni: synchronous_mode).',
  ]
}

/** The embedded database is for development: it cannot archive WAL. */
function archivingWarnings(
  archiving: Facts[string] | undefined,
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
): string[] {
  if (databaseUrl === null) return []
  if (archiving === 'failing')
    return [
      'PostgreSQL fails to archive its WAL, so the WAL fills the disk, and no moment after the failure can be ' +
        'restored. See last_failed_wal in pg_stat_archiver, and the log of PostgreSQL.',
    ]
  if (archiving !== 'off') return []
  return [
    'PostgreSQL does not archive its WAL (archive_mode = off). If the database is lost, all changes since the last ' +
      'dump are lost. Set up archiving (docs/operating/back-up.md), unless your provider backs up the server in another way.',
  ]
}

function poolerWarnings(
  pooler: Facts[string] | undefined,
  config: Pick<Config, 'directDatabaseUrl' | 'pooler'>,
): string[] {
  if (pooler === 'session' && config.directDatabaseUrl === null)
    return [
      'Each request reads its API key from the database, because the connection pooler of DATABASE_URL may lose notifications: ' +
        'set DIRECT_DATABASE_URL to the address of PostgreSQL itself.',
    ]
  if (config.pooler === 'transaction' && (pooler === 'session' || pooler === 'none'))
    return [
      'POOLER=transaction makes requests slower, and DATABASE_URL leads to no connection pooler in transaction mode: remove POOLER.',
    ]
  return []
}

function eventLogWarnings(until: Facts[string] | undefined): string[] {
  if (typeof until !== 'string' || Date.parse(until) > Date.now() + eventLogRoomMs) return []
  return [
    `The event log has no partition for ${until} and later. Without a partition, no write succeeds. A running server makes ` +
      'the missing ones: see "months of the event log were not made" in its log.',
  ]
}

function clockWarnings(ahead: Facts[string] | undefined): string[] {
  if (typeof ahead !== 'number' || Math.abs(ahead) < clockToleranceSeconds) return []
  const difference = `${Math.abs(ahead).toLocaleString('en')} s ${ahead > 0 ? 'ahead of' : 'behind'}`
  return [
    `The clock of this machine is ${difference} PostgreSQL's. New records and events get wrong times, and receivers ` +
      'refuse webhooks whose time is wrong by more than 5 minutes. Set the clocks of all machines with NTP.',
  ]
}
