import { z } from 'zod'
import * as shown from '../platform/http/shown.ts'

export const Owner = z
  .object({
    owner_id: shown.id('The id of the member, for `owner_id` of records.'),
    name: shown.text('The name of the member.', 'Sam Sales'),
    email: shown.text('The e-mail address of the member, for `owner_email` of records.', 'sam@example.com'),
  })
  .meta({ title: 'Owner' })
