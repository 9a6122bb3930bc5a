import { connectClient, connectionConfig } from '../db/address.ts'
import { countForeign, isActive } from '../secrets/rotate.ts'
import { SecretKey } from '../secrets/secret-key.ts'
import { wrongKey } from './key-check.ts'
import { oneRow } from './one-row.ts'

/** `fact`: whether another key than `rootKey` is needed; null: it is not, and there is none. `problem`: what to do; null: nothing. */
export type KeyChangeState = { fact: string | null; problem: string | null }

/** Says for the operator whether the old encryption key is still needed. The database must have the schema of this version. */
export async function describeKeyChange(
  url: string,
  rootKey: Buffer,
  oldKey: Buffer | null,
): Promise<KeyChangeState> {
  const config = { ...connectionConfig(url), connectionTimeoutMillis: 10_000 }
  const client = await connectClient({ ...config, application_name: 'crosswalk doctor' })
  try {
    if (!(await isActive(client, rootKey))) {
      const isOldActive = oldKey !== null && (await isActive(client, oldKey))
      return isOldActive ? { fact: beforeChange, problem: null } : { fact: null, problem: wrongKey }
    }
    const foreign = await countForeign(client, rootKey, oldKey)
    if (foreign > 0)
      return {
        fact: `another one is needed by ${foreign} secrets`,
        problem: foreignSecrets(foreign, oldKey !== null),
      }
    if (oldKey === null) return { fact: null, problem: null }
    const { n } = await oneRow<{ n: number }>(
      client,
      `select count(*)::int as n from secret where key_id = '${new SecretKey(oldKey).id}'`,
    )
    return { fact: n > 0 ? `needed by ${n} secrets: ${again}` : afterChange, problem: null }
  } finally {
    await client.end().catch(() => {})
  }
}

const beforeChange =
  'needed: it is the active key. When every node knows both keys, run npm run crosswalk -- change-key'
const again = 'run npm run crosswalk -- change-key again'
const afterChange = 'not needed any more: start every node again without it'

/** Says what to do about secrets that are sealed with an unknown key; null: there are none. */
export function foreignSecrets(n: number, oldKeyGiven: boolean): string | null {
  if (n === 0) return null
  const secrets = `${n} ${n === 1 ? 'secret is' : 'secrets are'} sealed with another key`
  return (
    `${secrets} than ENCRYPTION_KEY${oldKeyGiven ? ' and OLD_ENCRYPTION_KEY' : ''}. Set OLD_ENCRYPTION_KEY to the key that sealed ` +
    'them on every node, and run npm run crosswalk -- change-key. If nobody has that key, stop every node and run npm run crosswalk -- ' +
    'migrate --new-key --lose-secrets (docs/operating/encryption-key.md).'
  )
}
