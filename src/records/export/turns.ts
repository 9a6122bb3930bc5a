import { tooMany } from '../../platform/domain-error.ts'

/**
 * Each export uses one of the 16 connections that all requests of a process share, and keeps a snapshot of the
 * database open.
 */
const turnsMax = 4
/** The owners of the running exports. Each owner has at most one export. */
const owners = new Set<string>()

/**
 * Begins an export. Returns a function that ends it.
 * @param owner the payer of the request
 * @throws DomainError too_many if the owner has one already, or four run in this process
 */
export function beginExport(owner: string): () => void {
  const reason = owners.has(owner)
    ? 'An export of this organization runs already'
    : owners.size >= turnsMax
      ? `${turnsMax} exports run already in this process`
      : null
  if (reason !== null)
    throw tooMany(
      'export_limit_reached',
      `${reason}. Wait until it has ended, and send the request again (Retry-After).`,
      { retryAfterSeconds: 5 },
    )
  owners.add(owner)
  return () => owners.delete(owner)
}
