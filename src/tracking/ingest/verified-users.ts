import type { Database } from '../../platform/db/database.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import { inSlices } from '../../platform/slices.ts'
import { openIdentitySecrets } from '../identity/secret.ts'
import { verifyUser } from '../identity/verify.ts'
import { type FindVerified, type Proof, proofOf, type VerifiedUser } from '../wire/proof.ts'
import { eventOf, type RawBatch } from '../wire/read-body.ts'
import type { Sender } from './senders.ts'

/** A page identifies one user at a time. More proofs in a request are not checked, and count as claims. */
const proofsMax = 20

/** Checks who the users of events are, with the identity secret of the organization. */
export class VerifiedUsers {
  readonly #database: Database
  readonly #secrets: Secrets

  constructor(database: Database, secrets: Secrets) {
    this.#database = database
    this.#secrets = secrets
  }

  /** Checks the proofs of a request. null: it has none. @param text the text of its body */
  async of(
    { orgId, owner, isTrusted }: Sender,
    text: string,
    { events }: RawBatch,
  ): Promise<FindVerified | null> {
    // Almost no request has a proof: look for one before the events are parsed.
    if (isTrusted || !text.includes('"crosswalk"')) return null
    const proofs = await inSlices(owner, findingProofs(events))
    if (proofs.size === 0) return null
    const secrets = await this.#database.org(orgId).read((tx) => openIdentitySecrets(tx, this.#secrets))
    const users = new Map<string, VerifiedUser | null>()
    for (const [name, proof] of proofs) users.set(name, await verifyUser(proof, secrets))
    return (proof) => users.get(nameOf(proof)) ?? null
  }
}

function* findingProofs(events: RawBatch['events']): Generator<undefined, Map<string, Proof>> {
  const proofs = new Map<string, Proof>()
  for (const each of events) {
    const proof = proofOf(eventOf(each))
    if (proof) proofs.set(nameOf(proof), proof)
    if (proofs.size === proofsMax) break
    yield
  }
  return proofs
}

const nameOf = (proof: Proof) => JSON.stringify(proof)
