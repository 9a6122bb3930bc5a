import { readCountry } from '../../normalise/country.ts'
import { isRoleAddress } from '../../normalise/role-address.ts'
import type { State } from '../../records/record-type.ts'
import { toMatchRecord } from '../match-record.ts'
import { type CompanyName, readCompanyName } from '../matcher/names/company.ts'
import { type PersonName, readPersonName } from '../matcher/names/person.ts'
import type { Features, Matcher } from '../matcher/schema.ts'

/** Ids in other systems, by system. */
export type ExternalIds = ReadonlyMap<string, ReadonlySet<string>>

type Profile = {
  externalIds: ExternalIds
  /** LinkedIn's own names of profiles: `in/ada-lovelace`. */
  profiles: ReadonlySet<string>
  phones: ReadonlySet<string>
}

export type ContactTraits = Profile & {
  name: PersonName
  /** Addresses of persons, and those of offices: info@. */
  emails: ReadonlySet<string>
  roleEmails: ReadonlySet<string>
}

export type CompanyTraits = Profile & {
  name: CompanyName
  /** Registrable domains; not those of hosts that many companies share. */
  domains: ReadonlySet<string>
  country: string | null
}

export type DealTraits = {
  externalIds: ExternalIds
  /** Letters and digits in lower case. */
  name: string | null
  companyId: string | null
  contactIds: ReadonlySet<string>
  amount: string | null
  /** `2026-05`; of open deals null. */
  closeMonth: string | null
}

export type Traits = { contact: ContactTraits; company: CompanyTraits; deal: DealTraits }

/** What is compared of a record: `features` by the matcher, `traits` by rules. */
export type Portrait<Entity extends keyof Traits> = { features: Features; traits: Traits[Entity] }

/** Reads a record's columns. What is no proof of a person or company, such as an office's address, is no feature. */
export const portraits: {
  [Entity in keyof Traits]: (state: State, matcher: Matcher) => Portrait<Entity>
} = {
  contact(state, matcher) {
    const features = new Read(matcher, matcher.normalise(toMatchRecord('contact', state)))
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
      },
    }
  },
  company(state, matcher) {
    const features = new Read(matcher, matcher.normalise(toMatchRecord('company', state)))
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
    const features = new Read(matcher, matcher.normalise(toMatchRecord('deal', state)))
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

/** Features by the name of their field. */
class Read {
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

/** Those of records that a record absorbed lead to it as well. */
function externalIdsOf(state: State): ExternalIds {
  const ids = new Map<string, Set<string>>()
  const aliases = (state.aliases ?? []) as [string, string][]
  for (const [system, id] of [...Object.entries(state.external_ids as Record<string, string>), ...aliases]) {
    ids.set(system, (ids.get(system) ?? new Set()).add(id))
  }
  return ids
}
