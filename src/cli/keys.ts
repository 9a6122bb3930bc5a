import { deleteKey, insertKey } from '../keys/keys.ts'
import { orgOfKey } from '../keys/operator.ts'
import { isRecognizedAgency } from '../orgs/orgs.ts'
import { operatorOf } from '../platform/actor.ts'
import { OrgTx } from '../platform/db/org-tx.ts'
import { OperatorError } from '../platform/report.ts'
import { type Command, readId } from './command.ts'
import { keyLines, secretOf } from './new-key.ts'
import { requireOrg } from './orgs.ts'

export const keyCommands: Command[] = [
  {
    name: 'keys create',
    args: ['<org_id>'],
    summary: 'Create an API key',
    options: {
      name: { value: '<name>' },
      mode: { value: 'live|test' },
      agency: {},
      legacy: {},
    },
    async run({ scope, database, print }, [org], values) {
      const orgId = readId(org, 'org_id')
      const mode = values.mode ?? 'live'
      if (mode !== 'live' && mode !== 'test') throw new OperatorError('--mode must be live or test.')
      const name = String(values.name ?? 'Key').trim()
      if (name === '' || name.length > 120) throw new OperatorError('--name has 1 to 120 characters.')
      const isAgency = values.agency === true
      await scope.read((tx) => requireOrg(tx, orgId))
      if (isAgency && !(await database.org(orgId).read(isRecognizedAgency))) {
        throw new OperatorError(
          'This organization is not an agency: link a client to it first (orgs link), or make an agency with orgs create --agency.',
        )
      }
      const legacy = values.legacy === true
      const key = await scope.transact((tx) =>
        insertKey(new OrgTx(tx, operatorOf(orgId)), { name, mode, isAgency, legacy }),
      )
      print(
        {
          org_id: orgId,
          api_key_id: key.api_key_id,
          ...secretOf(key),
          name,
          mode,
          is_agency: key.is_agency,
        },
        keyLines(key),
      )
    },
  },
  {
    name: 'keys revoke',
    args: ['<api_key_id>'],
    summary: 'Revoke an API key',
    async run({ scope, print }, [id]) {
      const apiKeyId = readId(id, 'api_key_id')
      await scope.transact(async (tx) => {
        const orgId = await orgOfKey(tx, apiKeyId)
        if (!orgId) throw new OperatorError(`No API key has the id ${apiKeyId}.`)
        await deleteKey(new OrgTx(tx, operatorOf(orgId)), apiKeyId)
      })
      print({ api_key_id: apiKeyId, revoked: true }, [
        'The API key is revoked. All nodes refuse it within 2 seconds.',
      ])
    },
  },
]
