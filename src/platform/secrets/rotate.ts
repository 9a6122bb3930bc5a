import type { ClientBase } from 'pg'
import { exclusiveLock } from '../db/advisory-lock.ts'
import { announced, announcing, keyCheck } from '../encryption-keys.ts'
import { OperatorError } from '../report.ts'
import { changeLock } from './change-lock.ts'
import { type SealedSecret, SecretKey } from './secret-key.ts'

const secretsAtOnce = 200

/** Returns whether the database seals with this key. */
export async function isActive(owner: ClientBase, rootKey: Buffer): Promise<boolean> {
  const { rows } = await owner.query<{ check: string }>('select app.key_check() as check')
  return rows[0]?.check === keyCheck(rootKey)
}

/** Names the connected processes that do not know a key, and says what to do; null: there are none. */
export async function strangersTo(owner: ClientBase, rootKey: Buffer): Promise<string | null> {
  // PostgreSQL hides address and port of other roles' connections from a role without pg_read_all_stats.
  const { rows } = await owner.query<{ pid: number; host: string }>(
    `select min(pid) as pid, case
       when client_addr is not null then host(client_addr)
       when client_port = -1 then 'the machine of PostgreSQL' else 'an unknown address' end as host
     from pg_stat_activity
     where datname = current_database() and application_name like 'crosswalk\\_system%'
       and not (application_name like $1 and application_name like $2)
     group by host order by host`,
    [`${announcing}%`, `% ${announced(rootKey)}%`],
  )
  if (rows.length === 0) return null
  const hosts = rows.map(({ pid, host }) => `${host} (PostgreSQL process ${pid})`).join(', ')
  return (
    `processes of Crosswalk at ${hosts} do not know the new key. Start them again with ENCRYPTION_KEY set to the new ` +
    'key and OLD_ENCRYPTION_KEY set to the old one. Then run this command again.'
  )
}

/** @throws OperatorError if a connected process does not know a key */
export async function requireKnownEverywhere(owner: ClientBase, rootKey: Buffer): Promise<void> {
  const strangers = await strangersTo(owner, rootKey)
  if (strangers !== null) throw new OperatorError(`Nothing was changed: ${strangers}`)
}

/** Makes `newKey` the active key, in the caller's transaction. Waits for transactions that seal with the old one. */
export async function activate(owner: ClientBase, newKey: Buffer): Promise<void> {
  await owner.query(exclusiveLock(changeLock))
  await owner.query('update app.installation set key_check = $1', [keyCheck(newKey)])
}

/**
 * `unopened`: the secrets of the old key that it does not open, because somebody changed or copied their rows. `foreign`: how many
 * secrets have another key than the two.
 */
export type Rotation = {
  resealed: number
  unopened: Pick<SealedSecret, 'org_id' | 'name'>[]
  foreign: number
}

/**
 * Seals each secret of the old key with the active one, in transactions of 200 secrets. After a crash, the next run
 * continues.
 * @param oldKey null: the secrets of other keys are only counted
 */
export async function resealOnline(
  owner: ClientBase,
  newKey: Buffer,
  oldKey: Buffer | null,
): Promise<Rotation> {
  const [key, old] = [new SecretKey(newKey), oldKey && new SecretKey(oldKey)]
  const foreign = await countForeign(owner, newKey, oldKey)
  const rotation: Rotation = { resealed: 0, unopened: [], foreign }
  if (!old) return rotation
  let after = { org_id: '00000000-0000-0000-0000-000000000000', name: '' }
  for (;;) {
    const secrets = await resealSome(owner, key, old, after, rotation)
    const last = secrets.at(-1)
    if (!last || secrets.length < secretsAtOnce) return rotation
    after = last
  }
}

/** Counts the secrets that are sealed with another key than these two. */
export async function countForeign(
  owner: ClientBase,
  rootKey: Buffer,
  oldKey: Buffer | null,
): Promise<number> {
  const known = [rootKey, ...(oldKey ? [oldKey] : [])].map((key) => new SecretKey(key).id)
  const counting = 'select count(*)::int as n from secret where key_id <> all($1)'
  return (await owner.query<{ n: number }>(counting, [known])).rows[0]!.n
}

async function resealSome(
  owner: ClientBase,
  key: SecretKey,
  old: SecretKey,
  after: Pick<SealedSecret, 'org_id' | 'name'>,
  rotation: Rotation,
): Promise<SealedSecret[]> {
  await owner.query('begin')
  try {
    const { rows: secrets } = await owner.query<SealedSecret>(
      `select org_id, name, key_id, sealed from secret where key_id = $1 and (org_id, name) > ($2, $3)
       order by org_id, name limit $4 for update`,
      [old.id, after.org_id, after.name, secretsAtOnce],
    )
    const opened = secrets.map((secret) => ({ ...secret, value: old.open(secret) }))
    // A damaged secret opens with no key. With the id of the new key, it does not keep the old one necessary.
    const sealed = opened.map(({ org_id: orgId, name, value, sealed: before }) => ({
      ...{ orgId, name, sealed: value === null ? before : key.seal(orgId, name, value) },
    }))
    await owner.query(
      `update secret s set key_id = $1, sealed = u.sealed
       from unnest($2::uuid[], $3::text[], $4::bytea[]) as u (org_id, name, sealed)
       where s.org_id = u.org_id and s.name = u.name`,
      [key.id, ...(['orgId', 'name', 'sealed'] as const).map((column) => sealed.map((each) => each[column]))],
    )
    await owner.query('commit')
    const damaged = opened.filter(({ value }) => value === null)
    rotation.resealed += opened.length - damaged.length
    rotation.unopened.push(...damaged.map(({ org_id, name }) => ({ org_id, name })))
    return secrets
  } catch (error) {
    await owner.query('rollback').catch(() => {})
    throw error
  }
}
