import { socketPort } from './socket-dir.ts'

/** Defaults. The operator's postgresql.conf includes them, and a setting after that line overrides its default. */
export const configuration = `# Written by Crosswalk at each start: put your own settings at the end of cluster/postgresql.conf.
shared_buffers = 256MB
max_connections = 200
wal_compression = on
max_wal_size = 2GB
jit = off
client_connection_check_interval = 500
timezone = 'UTC'
log_timezone = 'UTC'
log_line_prefix = '%m [%p] '
cluster_name = 'crosswalk'

# The server's own events only. PostgreSQL reports a failed statement to its client. In this log, the statement would leave personal data.
log_min_messages = log
log_min_error_statement = panic
log_error_verbosity = terse
log_checkpoints = off
`

/** Options that no setting may change: PostgreSQL is reached only through a Unix socket in a private folder. */
export function serverOptions(socketDir: string): string[] {
  const settings = {
    listen_addresses: '',
    port: socketPort,
    unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    log_destination: 'stderr',
    logging_collector: 'off',
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
