import type { OrgTx } from '../platform/db/org-tx.ts'
import type { SpamReason } from '../tracking/forms/submissions/spam-reasons.ts'
import { addForm } from './add-form.ts'
import { addCallBackForm, callBackVisitors } from './call-back-form.ts'

const wood = ['Oak', 'Walnut', 'Ash']

const form = {
  ...{ name: 'Sample requests', status: 'live', title: 'Order free wood samples' },
  description: 'Three pieces of wood, so that you see the colors in your own light.',
  fields: [
    { key: 'first_name', label: 'First name', required: true, maps_to: 'first_name' },
    { key: 'last_name', label: 'Last name', required: true, maps_to: 'last_name' },
    { key: 'email', label: 'E-mail', type: 'email', required: true, maps_to: 'email' },
    { key: 'company', label: 'Company', maps_to: 'company_name' },
    { key: 'wood', label: 'Woods', type: 'multi_select', options: wood, required: true },
    { key: 'message', label: 'What do you plan?', type: 'textarea' },
  ],
  consent: { text: 'You may send me news about tables by e-mail.', channels: ['email'] },
  submit_label: 'Order samples',
  thank_you: { text: 'Thank you. The samples leave our workshop within two days.' },
}

type Request = {
  answers: Readonly<Record<string, string | string[]>>
  consent: boolean
  spam?: SpamReason
}

const request = (
  name: string,
  email: string,
  woods: string[],
  more: Record<string, string> = {},
): Request => {
  const [first_name = '', last_name = ''] = name.split(' ')
  return { answers: { first_name, last_name, email, wood: woods, ...more }, consent: true }
}

const requests: readonly Request[] = [
  request('Ines Moreau', 'ines.moreau@atelier-nord.example', ['Oak', 'Ash'], {
    ...{ company: 'Atelier Nord', message: 'A meeting table for twelve people.' },
  }),
  { ...request('Piotr Zielinski', 'piotr@zielinski-haus.example', ['Walnut']), consent: false },
  request('Leila Haddad', 'l.haddad@cedar-clinic.example', ['Oak'], {
    ...{ company: 'Cedar Clinic', message: 'Six round tables for a waiting room.' },
  }),
  request('Owen Pritchard', 'owen@slatehouse.example', wood),
  {
    ...request('Best Offers', 'offers@cheap-links.example', ['Oak'], {
      message: 'We bring your shop to the first page of every search engine.',
    }),
    spam: 'honeypot',
  },
]

/** How many contacts the accepted requests make. */
export const formContacts = requests.filter(({ spam }) => spam === undefined).length + callBackVisitors

/**
 * Adds the forms of the demo shop, and what visitors sent with them.
 * @param firstVisitor the first of the visitors who sent them
 */
export async function addForms(tx: OrgTx, firstVisitor: number): Promise<void> {
  const page = 'https://shop.example/samples'
  const sent = requests.map((request, index) => ({ ...request, visitor: firstVisitor + index, page }))
  await addForm(tx, form, sent)
  await addCallBackForm(tx, firstVisitor + requests.length)
}
