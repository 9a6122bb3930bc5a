import { operatorOf } from '../platform/actor.ts'
import { OrgTx } from '../platform/db/org-tx.ts'
import { OperatorError } from '../platform/report.ts'
import { type Subscription, setSubscription } from '../voice/subscription.ts'
import { type Command, readId, type Values } from './command.ts'
import { requireOrg } from './orgs.ts'

const minutesMax = 2_147_483_647
const statuses: readonly unknown[] = ['active', 'past_due', 'canceled'] satisfies Subscription['status'][]

function readSubscription(values: Values): Partial<Subscription> {
  const { status, 'included-minutes': minutes } = values
  if (status === undefined && minutes === undefined)
    throw new OperatorError('Add --status active|past_due|canceled, --included-minutes N|none or both.')
  if (status !== undefined && !statuses.includes(status))
    throw new OperatorError('--status must be active, past_due or canceled.')
  const included = minutes === 'none' ? null : Number(minutes)
  const isNumber = included === null || (/^\d+$/.test(String(minutes)) && included <= minutesMax)
  if (minutes !== undefined && !isNumber)
    throw new OperatorError(`--included-minutes must be a whole number from 0 to ${minutesMax}, or none.`)
  return {
    ...(status === undefined ? {} : { status: status as Subscription['status'] }),
    ...(minutes === undefined ? {} : { included_minutes: included }),
  }
}

export const voiceCommands: Command[] = [
  {
    name: 'voice subscription',
    args: ['<org_id>'],
    summary: 'Set whether an organization may call, and the minutes that it has paid for',
    options: {
      status: { value: 'active|past_due|canceled' },
      'included-minutes': { value: '<n|none>' },
    },
    async run({ scope, print }, [org], values) {
      const orgId = readId(org, 'org_id')
      const input = readSubscription(values)
      const subscription = await scope.transact(async (tx) => {
        await requireOrg(tx, orgId)
        return setSubscription(new OrgTx(tx, operatorOf(orgId)), input)
      })
      const { status, included_minutes: minutes } = subscription
      print({ org_id: orgId, ...subscription }, [
        `Set: ${status}, ${minutes === null ? 'without a limit of minutes' : `${minutes.toLocaleString('en')} minutes included`}.`,
      ])
    },
  },
]
