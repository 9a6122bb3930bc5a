import { toMatchRecord } from '../../matching/match-record.ts'
import { type CompanyName, readCompanyName } from '../../matching/names/company.ts'
import { type PersonName, readPersonName } from '../../matching/names/person.ts'
import type { Features, Matcher } from '../../matching/schema.ts'
import { readCountry } from '../../normalize/country.ts'
import { isRoleAddress } from '../../normalize/role-address.ts'
import { visitorSystem } from '../../normalize/visitor-system.ts'
import type { StoredColumns } from '../../records/record-type.ts'

export type ExternalIds = ReadonlyMap<string, ReadonlySet<string>>

type Profile = {
  externalIds: ExternalIds
  profiles: ReadonlySet<string>
  phones: ReadonlySet<string>
}

export type ContactTraits = Profile & {
  name: PersonName
  /** `emails` are personal addresses; `roleEmails` are addresses such as info@. */
  emails: ReadonlySet<string>
  roleEmails: ReadonlySet<string>
  /** Whether only the statements of a visitor made the record. */
  isClaimed: boolean
}

export type CompanyTraits = Profile & {
  name: CompanyName
  /** The registrable domains, except hosts that many companies share. */
  domains: ReadonlySet<string>
  country: string | null
}

export type DealTraits = {
  externalIds: ExternalIds
  /** The name as lower-case letters and digits. */
  name: string | null
  companyId: string | null
  contactIds: ReadonlySet<string>
  amount: string | null
  /** The month in which the deal was closed, such as `2026-05`; null for open deals. */
  closeMonth: string | null
}

export type Traits = { contact: ContactTraits; company: CompanyTraits; deal: DealTraits }

/** The matcher compares `features`, and the rules compare `traits`. */
export type ComparableRecord<Entity extends keyof Traits> = { features: Features; traits: Traits[Entity] }

/** Role addresses such as info@ are left out: they prove no identity. */
export const readComparable: {
  [Entity in keyof Traits]: (state: StoredColumns, matcher: Matcher) => ComparableRecord<Entity>
} = {
  contact(state, matcher) {
    const features = new NamedFeatures(matcher, matcher.normalize(toMatchRecord('contact', state)))
    const emails = [...features.values('email')]
    const personal = emails.filter((email) => !isRoleAddress(email))
    return {
      features: features.with('email', personal),
      traits: {
        externalIds: externalIdsOf(state),
        profiles: features.values('linkedin_url'),
        phones: features.values('phone'),
        name: readPersonName({
          given: state.first_name as string | null,
          family: state.last_name as string | null,
        }),
        emails: new Set(personal),
        roleEmails: new Set(emails.filter(isRoleAddress)),
        isClaimed: (state.claimed_by ?? null) !== null,
      },
    }
  },
  company(state, matcher) {
    const features = new NamedFeatures(matcher, matcher.normalize(toMatchRecord('company', state)))
    const country = state.country as string | null
    return {
      features: features.all,
      traits: {
        externalIds: externalIdsOf(state),
        profiles: features.values('linkedin_url'),
        phones: features.values('phone'),
        name: readCompanyName((state.name as string | null) ?? ''),
        domains: features.values('domain'),
        country: country && readCountry(country),
      },
    }
  },
  deal(state, matcher) {
    const features = new NamedFeatures(matcher, matcher.normalize(toMatchRecord('deal', state)))
    return {
      features: features.all,
      traits: {
        externalIds: externalIdsOf(state),
        name: [...features.values('name')][0] ?? null,
        companyId: (state.company_id ?? null) as string | null,
        contactIds: new Set((state.contact_ids ?? []) as string[]),
        amount: state.amount_cents === null ? null : `${state.amount_cents} ${state.currency}`,
        closeMonth: (state.closed_at as Date | null)?.toISOString().slice(0, 7) ?? null,
      },
    }
  },
}

/** The features of a record by the names of their fields. */
class NamedFeatures {
  readonly #fields: readonly string[]
  readonly all: Features

  constructor({ fields }: Matcher, features: Features) {
    this.#fields = fields
    this.all = features
  }

  values(field: string): Set<string> {
    const text = this.all[this.#fields.indexOf(field)]
    return new Set(text ? text.split('\n') : [])
  }

  with(field: string, values: readonly string[]): Features {
    return this.all.with(this.#fields.indexOf(field), values.length > 0 ? values.join('\n') : null)
  }
}

/** Includes the external ids of absorbed records, and no visitors. */
function externalIdsOf(state: StoredColumns): ExternalIds {
  const ids = new Map<string, Set<string>>()
  const aliases = (state.aliases ?? []) as [string, string][]
  for (const [system, id] of [...Object.entries(state.external_ids as Record<string, string>), ...aliases]) {
    if (system === visitorSystem) continue
    ids.set(system, (ids.get(system) ?? new Set()).add(id))
  }
  return ids
}
