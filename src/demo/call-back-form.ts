import type { OrgTx } from '../platform/db/org-tx.ts'
import { addForm } from './add-form.ts'

const form = {
  ...{ name: 'Call me back', status: 'live', title: 'We call you', submit_label: 'Call me' },
  description: 'Questions about a table? Leave your number.',
  fields: [
    { key: 'first_name', label: 'First name', required: true, maps_to: 'first_name' },
    { key: 'last_name', label: 'Last name', maps_to: 'last_name' },
    { key: 'phone', label: 'Phone', type: 'phone', required: true, maps_to: 'phone' },
  ],
  consent: {
    ...{ text: 'An AI agent of the shop may call me once at this number.', channels: ['phone'] },
    required: true,
  },
  // The simulator rings no phone, so it may be tried at night too.
  call_back: { countries: ['US'], hours: { start: '00:00', end: '23:59' } },
  thank_you: { text: 'Thank you. We will call you soon.' },
}

/** The people who ask for a call, oldest first. The last person asks twice. */
const people = [
  ['Marcus', 'Ellery', '+12025550123'],
  ['Priya', 'Raman', '+12025550127'],
  ['Hannah', 'Brandt', '+12025550131'],
] as const
const asked = [0, 1, 2, 2]

/** How many visitors asked for a call. */
export const callBackVisitors = people.length

/** Adds a form whose visitors asked to be called. Three people wait, and a repeated request is refused. */
export async function addCallBackForm(tx: OrgTx, firstVisitor: number): Promise<void> {
  const sent = asked.map((index) => {
    const [first_name, last_name, phone] = people[index] ?? people[0]
    const answers = { first_name, last_name, phone }
    return { answers, consent: true, visitor: firstVisitor + index, page: 'https://shop.example/contact' }
  })
  await addForm(tx, form, sent)
}
