import { type Entity, headerKey } from './synonyms.ts'

/** The programs whose exports are recognized by their headers. */
export const exportSources = ['crosswalk', 'hubspot', 'salesforce', 'twenty'] as const
export type ExportSource = (typeof exportSources)[number]

type Export = {
  /**
   * Recognizes the program: the file has at least one header of each list. Headers are in the form of `headerKey`.
   */
  has: string[][]
  /**
   * The fields of headers that have another meaning in other files. `external_id`: the program's id of the record.
   * `ignore`: the column is not imported.
   */
  fields: Record<string, string>
}

const words = (text: string) => text.split(' ')

/**
 * Columns of Crosswalk's own exports. Values that only the server sets, and ids of the exporting organization, are
 * ignored.
 */
const own = {
  ...{ version: 'ignore', createdat: 'ignore', updatedat: 'ignore', archivedat: 'ignore' },
  ...{
    mergedids: 'ignore',
    mergedexternalids: 'ignore',
    claimedby: 'ignore',
    phoneraw: 'phones',
    source: 'source',
  },
}

const exports: Record<ExportSource, Record<Entity, Export>> = {
  crosswalk: {
    contact: {
      has: [words('contactid'), words('mergedids mergedexternalids version')],
      fields: { contactid: 'external_id', companyid: 'ignore', emailraw: 'emails', ...own },
    },
    company: {
      has: [words('companyid'), words('mergedids mergedexternalids version')],
      fields: { companyid: 'external_id', ...own },
    },
  },
  hubspot: {
    contact: {
      has: [
        words('recordid recordidcontact'),
        words(
          'lifecyclestage contactowner leadstatus createdate lastactivitydate marketingcontactstatus associatedcompany ' +
            'associatedcompanyids associatedcompanyidsprimary primarycompany',
        ),
      ],
      fields: {
        recordid: 'external_id',
        recordidcontact: 'external_id',
        associatedcompany: 'company_name',
        associatedcompanyprimary: 'company_name',
        primarycompany: 'company_name',
      },
    },
    company: {
      has: [
        words('recordid recordidcompany'),
        words('companyowner companydomainname createdate lifecyclestage'),
      ],
      fields: { recordid: 'external_id', recordidcompany: 'external_id' },
    },
  },
  salesforce: {
    contact: {
      has: [
        words('id contactid leadid'),
        words('lastname'),
        words(
          'accountid accountname accountowner contactowner leadowner leadsource companyaccount ownerid createdbyid ' +
            'masterrecordid isdeleted systemmodstamp mailingstreet',
        ),
      ],
      fields: {
        id: 'external_id',
        contactid: 'external_id',
        leadid: 'external_id',
        accountname: 'company_name',
        companyaccount: 'company_name',
        mailingstateprovince: 'region',
        stateprovince: 'region',
      },
    },
    company: {
      has: [
        words('id accountid'),
        words('name accountname'),
        words('ownerid accountowner createdbyid masterrecordid isdeleted parentid billingstreet billingcity'),
      ],
      fields: {
        id: 'external_id',
        accountid: 'external_id',
        billingcity: 'city',
        billingstate: 'region',
        billingstateprovince: 'region',
        billingcountry: 'country',
        accountphone: 'phone',
      },
    },
  },
  twenty: {
    contact: {
      has: [
        words('namefirstname firstnamename emailsprimaryemail primaryemailemails phonesprimaryphonenumber'),
      ],
      fields: {
        id: 'external_id',
        namefirstname: 'first_name',
        firstnamename: 'first_name',
        namelastname: 'last_name',
        lastnamename: 'last_name',
        emailsprimaryemail: 'email',
        primaryemailemails: 'email',
        phonesprimaryphonenumber: 'phone',
        primaryphonenumberphones: 'phone',
        linkedinlinkurl: 'linkedin_url',
        linkurllinkedinlink: 'linkedin_url',
      },
    },
    company: {
      has: [words('domainnamelinkurl linkurldomainname linkedinlinkurl linkurllinkedinlink addresscity')],
      fields: {
        id: 'external_id',
        domainnamelinkurl: 'website',
        linkurldomainname: 'website',
        linkedinlinkurl: 'linkedin_url',
        linkurllinkedinlink: 'linkedin_url',
        addresscity: 'city',
        addressstate: 'region',
        addresscountry: 'country',
      },
    },
  },
}

/** Returns the program whose export has these headers; null if none is recognized. */
export function sourceOf(headers: readonly string[], entity: Entity): ExportSource | null {
  const keys = new Set(headers.map(headerKey))
  const isFrom = (source: ExportSource) =>
    exports[source][entity].has.every((some) => some.some((key) => keys.has(key)))
  return exportSources.find(isFrom) ?? null
}

/** Returns null if the header has its common meaning in this export. */
export function sourceField(
  source: ExportSource,
  header: string,
  entity: Entity,
): string | { external_id: string } | null {
  const { fields } = exports[source][entity]
  const key = headerKey(header)
  const field = Object.hasOwn(fields, key) ? fields[key] : undefined
  return field === 'external_id' ? { external_id: source } : (field ?? null)
}
