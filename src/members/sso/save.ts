import type { Caller } from '../../platform/caller.ts'
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

/**
 * Checks that a provider answers, then stores it.
 * @throws DomainError forbidden, conflict; ValidationError
 */
export async function saveConnection(
  deps: MemberDeps,
  caller: Caller,
  { client_secret: sent, ...body }: SsoSettings & { client_secret?: string | undefined },
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
  await providers.require({ orgId: caller.orgId, issuer, clientId, clientSecret })
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
