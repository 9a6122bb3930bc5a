import { deleteKey, insertKey } from '../keys/keys.ts'
import { readCountry } from '../normalize/country.ts'
import {
  ceilingsOf,
  createOrg,
  linkOrgs,
  listOrgs,
  nameOf,
  orgExists,
  setCeilings,
  unlinkOrgs,
} from '../orgs/operator.ts'
import { operatorOf } from '../platform/actor.ts'
import type { Config } from '../platform/config.ts'
import { OrgTx } from '../platform/db/org-tx.ts'
import type { Tx } from '../platform/db/tx.ts'
import { highestCeiling } from '../platform/rate-limit/rate-limit.ts'
import { OperatorError } from '../platform/report.ts'
import { type Command, readId, type Values } from './command.ts'
import { keyLines, secretOf } from './new-key.ts'

/** @throws OperatorError if there is no such org */
export async function requireOrg(tx: Tx, orgId: string): Promise<void> {
  if (!(await orgExists(tx, orgId))) {
    throw new OperatorError(
      `No organization has the id ${orgId}; npm run crosswalk -- orgs list shows all organizations, and doctor shows the database.`,
    )
  }
}

const dataDirText = ({ databaseUrl, dataDir }: Config) => (databaseUrl === null ? ` in ${dataDir}` : '')

function readCeiling(values: Values, name: string): number | null | undefined {
  const value = values[name]
  if (value === undefined) return undefined
  if (value === 'none') return null
  const ceiling = Number(value)
  if (Number.isInteger(ceiling) && ceiling >= 1 && ceiling <= highestCeiling) return ceiling
  throw new OperatorError(`--${name} must be a whole number from 1 to ${highestCeiling}, or none.`)
}

export const orgCommands: Command[] = [
  {
    name: 'orgs create',
    args: ['<name>'],
    summary: 'Create an organization and its first live key',
    makesDatabase: true,
    options: { agency: {}, country: { value: '<code>' } },
    async run({ scope, print }, [name = ''], values) {
      const trimmed = name.trim()
      if (trimmed === '' || trimmed.length > 200) throw new OperatorError('A name has 1 to 200 characters.')
      const country = values.country === undefined ? null : readCountry(String(values.country))
      if (values.country !== undefined && country === null) {
        throw new OperatorError('--country must be two letters of ISO 3166-1, such as US, GB or DE.')
      }
      const isAgency = values.agency === true
      const { orgId, key } = await scope.transact(async (tx) => {
        const orgId = await createOrg(tx, { name: trimmed, isAgency, country })
        return {
          orgId,
          key: await insertKey(new OrgTx(tx, operatorOf(orgId)), {
            name: 'First key',
            mode: 'live',
            isAgency,
          }),
        }
      })
      print({ org_id: orgId, api_key_id: key.api_key_id, ...secretOf(key) }, [
        `org_id         ${orgId}`,
        ...keyLines(key),
      ])
    },
  },
  {
    name: 'orgs list',
    args: [],
    summary: 'List the organizations',
    async run({ config, scope, print }) {
      const orgs = await scope.read(listOrgs)
      const lines = orgs.map((org) => {
        const counts = `${org.contacts.toLocaleString('en')} contacts, ${org.companies.toLocaleString('en')} companies`
        return `${org.org_id}  ${org.name}${org.is_agency ? ' (agency)' : ''}: ${counts}`
      })
      print(
        { orgs },
        lines.length > 0
          ? lines
          : [`There is no organization yet${dataDirText(config)}: npm run crosswalk -- orgs create "Acme"`],
      )
    },
  },
  {
    name: 'orgs link',
    args: ['<agency_org_id>', '<client_org_id>'],
    summary: 'Let an agency act on a client',
    async run({ scope, print }, [agency, client]) {
      const agencyOrgId = readId(agency, 'agency_org_id')
      const clientOrgId = readId(client, 'client_org_id')
      if (agencyOrgId === clientOrgId) throw new OperatorError('An organization cannot be its own client.')
      const { linked, names } = await scope.transact(async (tx) => {
        await requireOrg(tx, agencyOrgId)
        await requireOrg(tx, clientOrgId)
        const names = [await nameOf(tx, agencyOrgId), await nameOf(tx, clientOrgId)]
        return { linked: await linkOrgs(tx, agencyOrgId, clientOrgId), names }
      })
      print({ agency_org_id: agencyOrgId, client_org_id: clientOrgId, linked }, [
        `${linked ? 'Linked' : 'They were linked already'}: ${names[0]} is an agency of ${names[1]}, and may do everything there.`,
      ])
    },
  },
  {
    name: 'orgs unlink',
    args: ['<agency_org_id>', '<client_org_id>'],
    summary:
      'Unlink a client from an agency, and list the keys and members of the agency that remain in the client',
    options: { revoke: {} },
    async run({ scope, print }, [agency, client], values) {
      const agencyOrgId = readId(agency, 'agency_org_id')
      const clientOrgId = readId(client, 'client_org_id')
      const revoked = values.revoke === true
      const { unlinked, keys, members } = await scope.transact(async (tx) => {
        await requireOrg(tx, agencyOrgId)
        await requireOrg(tx, clientOrgId)
        const result = await unlinkOrgs(tx, agencyOrgId, clientOrgId)
        if (revoked)
          for (const key of result.keys)
            await deleteKey(new OrgTx(tx, operatorOf(key.org_id)), key.api_key_id)
        return { ...result, keys: result.keys.map(({ api_key_id, name }) => ({ api_key_id, name })) }
      })
      const lines = keys.map((key) => `  ${key.api_key_id}  ${key.name}`)
      const explanation = revoked
        ? ['Revoked these keys, which the agency made in the client or its sandboxes:', ...lines]
        : [
            'These keys, which the agency made in the client or its sandboxes, still work:',
            ...lines,
            'Revoke all of them: run the same command with --revoke. Revoke one: npm run crosswalk -- keys revoke <api_key_id>',
          ]
      const remaining = [
        'These members, whom people of the agency invited, remain until an owner or admin of the client removes them:',
        ...members.map((member) => `  ${member.member_id}  ${member.name} (${member.role})`),
      ]
      print({ agency_org_id: agencyOrgId, client_org_id: clientOrgId, unlinked, revoked, keys, members }, [
        unlinked ? 'Unlinked.' : 'They were not linked.',
        ...(keys.length > 0 ? explanation : []),
        ...(members.length > 0 ? remaining : []),
      ])
    },
  },
  {
    name: 'orgs limits',
    args: ['<org_id>'],
    summary: 'Show or set the rate limits of an organization; none removes a limit',
    options: { 'per-second': { value: '<n|none>' }, 'per-minute': { value: '<n|none>' } },
    async run({ scope, print }, [org], values) {
      const orgId = readId(org, 'org_id')
      const perSecond = readCeiling(values, 'per-second')
      const perMinute = readCeiling(values, 'per-minute')
      const changes = {
        ...(perSecond === undefined ? {} : { perSecond }),
        ...(perMinute === undefined ? {} : { perMinute }),
      }
      const isChange = Object.keys(changes).length > 0
      const now = await scope.transact(async (tx) => {
        await requireOrg(tx, orgId)
        if (isChange) await setCeilings(tx, orgId, changes)
        return ceilingsOf(tx, orgId)
      })
      print({ org_id: orgId, per_second: now.perSecond, per_minute: now.perMinute }, [
        `per second  ${now.perSecond ?? 'none'}`,
        `per minute  ${now.perMinute ?? 'none'}`,
        '',
        isChange
          ? 'The limits are set. All nodes apply them within 2 seconds.'
          : 'To change them, add --per-second <n|none>, --per-minute <n|none> or both.',
      ])
    },
  },
]
