import type { Lookup } from '../../../auth/credential-cache.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { SystemScope } from '../../../platform/db/system.ts'
import { joinPayer, payerId } from '../../../platform/jobs/payer.ts'
import type { FormDefinition } from '../schema.ts'

/** A live form, as its public pages need it. */
export type KnownForm = {
  orgId: string
  /** The organization whose budgets the form shares: its own, or the owner of its sandbox. */
  mainOrgId: string
  /** The organization with which the form shares turns: as `mainOrgId`, or its agency, which may have many clients. */
  payerId: string
  isSandbox: boolean
  /** The country of phone numbers without a country code. */
  defaultCountry: string | null
  formId: string
  name: string
  version: number
  definition: FormDefinition
  /** The size of the JSON of the definition. */
  bytes: number
  origins: readonly string[]
}

/** The lookup of live forms by their id, for their cache. */
export const formLookup = (scope: SystemScope): Lookup<KnownForm> => ({
  async find(formIds) {
    const forms = await scope.readRows(sql<KnownForm>`
      select f.org_id as "orgId", coalesce(o.sandbox_of, f.org_id) as "mainOrgId",
        coalesce(${payerId}, f.org_id) as "payerId", o.sandbox_of is not null as "isSandbox",
        o.default_country as "defaultCountry", f.form_id as "formId", f.name, f.version, f.definition,
        octet_length(f.definition::text) as bytes, f.origins
      from form f join org o on o.org_id = f.org_id ${joinPayer(sql`f.org_id`)}
      where f.form_id = any(${formIds}::uuid[]) and f.status = 'live'`)
    return new Map(forms.map((form) => [form.formId, form]))
  },
  topicsOf: ({ orgId }) => [orgId],
  isCacheable: () => true,
  // An object needs about five times as much memory as its JSON. An agency may have a million forms.
  weightOf: ({ bytes }) => 1 + bytes / 200,
})
