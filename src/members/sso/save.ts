import type { Caller } from '../../platform/caller.ts'
import { FairLimiter } from '../../platform/db/fair-limiter.ts'
import { refuse } from '../../platform/http/fields.ts'
import { detailAt, ValidationError } from '../../platform/http/validation.ts'
import type { MemberDeps } from '../member-deps.ts'
import {
  findConnection,
  openSecret,
  putConnection,
  requireOwner,
  type SsoSettings,
  type StoredSsoConnection,
} from './connection.ts'

/** A provider may take 10 s for its answer, which may have 256 KiB. */
const limiter = new FairLimiter({ max: 1, waitMs: 10_000, waitingMax: 32 })

/**
 * Checks that a provider answers and accepts a new client secret, then stores it. A provider that is stored already, and
 * that nobody must use, is not asked again. One request of a payer runs at a time in this process.
 * @throws DomainError forbidden, conflict; ValidationError; OrgBusy if too many requests wait, or one waits too long
 */
export const saveConnection = (
  deps: MemberDeps,
  caller: Caller,
  settings: SentSettings,
  redirectUri: string,
  version: number | undefined,
): Promise<StoredSsoConnection> =>
  limiter.run(caller.payerId, () => checkAndStore(deps, caller, settings, redirectUri, version))

type SentSettings = SsoSettings & { client_secret?: string | undefined }

async function checkAndStore(
  deps: MemberDeps,
  caller: Caller,
  { client_secret: sent, ...body }: SentSettings,
  redirectUri: string,
  version: number | undefined,
): Promise<StoredSsoConnection> {
  const { scope, secrets, providers } = deps
  const settings = { ...body, domains: [...new Set(body.domains)].sort() }
  const stored = await storedSecret(deps, caller, settings)
  const clientSecret = sent ?? stored
  if (clientSecret === null) {
    const fault = 'send the secret of Crosswalk at this provider'
    throw new ValidationError([detailAt(['body', 'client_secret'], refuse(fault))])
  }
  const { issuer, client_id: clientId } = settings
  // An owner must be able to end the requirement while the provider is away.
  const isKnown = sent === undefined && !settings.is_required
  const client = { orgId: caller.orgId, issuer, clientId, clientSecret }
  if (!isKnown) await providers.require(client)
  if (sent !== undefined) await providers.requireSecret(client, redirectUri)
  return scope.transact(async (tx) => {
    await requireOwner(tx, caller)
    return putConnection(tx, secrets, caller, settings, sent, version)
  })
}

/**
 * Returns the stored secret, for the same provider only.
 * @throws DomainError forbidden
 */
function storedSecret(
  { scope, secrets }: MemberDeps,
  caller: Caller,
  settings: SsoSettings,
): Promise<string | null> {
  return scope.transact(async (tx) => {
    await requireOwner(tx, caller)
    const before = await findConnection(tx, caller.orgId)
    const isSame = before?.issuer === settings.issuer && before.client_id === settings.client_id
    return isSame ? openSecret(tx, secrets, caller.orgId) : null
  })
}
