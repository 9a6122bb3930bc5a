import type { CredentialCache, Lookup } from '../../auth/credential-cache.ts'
import { sql } from '../../platform/db/sql.ts'
import type { SystemScope } from '../../platform/db/system.ts'
import type { DailySalts } from '../store/daily-salts.ts'
import type { DailyVisitor } from '../wire/event-ids.ts'
import { dailyVisitorIdOf } from '../wire/ids.ts'

/** How an organization treats events of people who refuse analytics. */
export type KnownChoices = { orgId: string; cookieless: boolean; respectsDnt: boolean }

/** The lookup of these settings by the id of the organization, for their cache. An organization without a row has the defaults. */
export const choicesLookup = (scope: SystemScope): Lookup<KnownChoices> => ({
  async find(orgIds) {
    const chosen = await scope.readRows(sql<KnownChoices>`
      select org_id as "orgId", coalesce(cookieless, false) as cookieless, coalesce(respect_dnt, false) as "respectsDnt"
      from unnest(${orgIds}::uuid[]) as asked (org_id) left join tracking_settings using (org_id)`)
    return new Map(chosen.map((choices) => [choices.orgId, choices]))
  },
  topicsOf: ({ orgId }) => [orgId],
  isCacheable: () => true,
})

/** How ingest treats events of people who refuse analytics, for one organization. */
export type Choices = { respectsDnt: boolean; dailyVisitor: DailyVisitor | null }

/** Reads these choices from a cache, with the secret of the day. */
export class PrivacyChoices {
  readonly #cache: CredentialCache<KnownChoices>
  readonly #salts: DailySalts

  constructor(cache: CredentialCache<KnownChoices>, salts: DailySalts) {
    this.#cache = cache
    this.#salts = salts
  }

  /** Returns the choices of an organization. */
  async of(orgId: string): Promise<Choices> {
    const known = this.#cache.peek(orgId) ?? (await this.#cache.load(orgId))
    const salt = known?.cookieless ? await this.#salts.today() : null
    return {
      respectsDnt: known?.respectsDnt ?? false,
      dailyVisitor: salt && ((address, userAgent) => dailyVisitorIdOf(salt, orgId, address, userAgent)),
    }
  }
}
