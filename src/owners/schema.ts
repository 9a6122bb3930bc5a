import { z } from 'zod'
import { id } from '../platform/http/fields.ts'
import * as shown from '../platform/http/shown.ts'

export const Owner = z
  .object({
    owner_id: shown.id('The id of the member, for `owner_id` of records.'),
    name: shown.text('The name of the member.', 'Sam Sales'),
    email: shown.text('The e-mail address of the member, for `owner_email` of records.', 'sam@example.com'),
  })
  .meta({ title: 'Owner' })

const owned = (records: string) =>
  shown
    .count(`How many active and archived ${records} the member owns; null: you may not read ${records}.`, 12)
    .nullable()

export const OwnerRecords = Owner.extend({
  contacts: owned('contacts'),
  companies: owned('companies'),
  deals: owned('deals'),
}).meta({ title: 'OwnerRecords' })

export const OwnerPath = z.object({ owner_id: id().describe('The id of the member.') })

export const Reassign = z
  .object({
    to_owner_id: id().nullable().describe('The member who gets the records; null: nobody owns them.'),
  })
  .meta({ title: 'Reassign' })
