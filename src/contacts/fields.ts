import { z } from 'zod'
import { emailKey, readEmail } from '../normalize/email.ts'
import { literal } from '../platform/http/fields.ts'
import { filterText } from '../platform/http/list.ts'
import { commonFields, profileFields } from '../records/base-fields.ts'
import { email } from '../records/fields.ts'
import { lineField, primaryList, rawField, referenceField } from '../records/make-field.ts'
import { ownerFields } from '../records/owners/owner-fields.ts'
import { phonesFields } from '../records/phones.ts'
import type { RecordField } from '../records/record-type.ts'
import { toCompany } from '../records/references.ts'
import { claimedBy } from './claimed-by.ts'
import { consentFields } from './consent.ts'

const lifecycleStages = ['subscriber', 'lead', 'qualified', 'opportunity', 'customer', 'other'] as const

const emailsFields = primaryList({
  one: 'email',
  all: 'emails',
  item: email,
  max: 50,
  about: {
    one: 'The primary address, which is the first of `emails`.',
    all: 'All e-mail addresses of the contact, the primary address first.',
  },
  headers:
    'email emails mail emailaddress emailaddresses mailaddress emailvalue emailid workemail businessemail homeemail ' +
    'workemailaddress personalemail personalemailaddress privateemail primaryemail secondaryemail otheremail ' +
    'alternateemail alternativeemail contactemail personemail personemailwork personemailhome personemailother ' +
    'companyemail courriel correo correoelectronico epost emailadresse mailadresse adresseemail adressemail ' +
    'emailgeschaftlich emailprivat mailprivat emailprofessionnel courrielprofessionnel emailadres mailadres',
  keyOf: emailKey,
  key: {
    kind: 'email',
    filter: {
      schema: filterText(1000),
      description: 'Finds contacts by any of their addresses. Letter case does not matter.',
      key: (value) => {
        const read = readEmail(withPlus(value.trim()))
        return 'key' in read ? { kind: 'email', value: read.key } : read
      },
      start: withPlus,
    },
  },
})

/** A plus sign that was not percent-encoded arrives as a space. Only quoted addresses contain spaces. */
function withPlus(address: string): string {
  return address.includes('"') ? address : address.replaceAll(' ', '+')
}

export const lifecycleStageWord = literal(...lifecycleStages).meta({ title: 'LifecycleStage' })

const lifecycleStage: RecordField = {
  about: 'The stage that the person has reached on the way to a purchase; null: not known.',
  columns: 'text',
  input: lifecycleStageWord.nullable().optional(),
  output: z.enum(lifecycleStages).meta({ title: 'LifecycleStage' }).nullable(),
  policy: 'furthest_stage',
  headers: 'lifecyclestage lifecycle contactlifecyclestage stage',
}

/** To add a field, add a line here and a migration with its column. */
export const contactFields = {
  ...emailsFields,
  email_raw: rawField('email_raw', 'An e-mail address that an import could not read.', 'email', 'emails'),
  ...phonesFields,
  first_name: lineField('The given name; null: not known.', 200, {
    headers:
      'firstname givenname forename fname first given christianname contactfirstname personfirstname vorname prenom ' +
      'nombre voornaam fornavn fornamn imie etunimi nome',
  }),
  last_name: lineField('The family name; null: not known.', 200, {
    headers:
      'lastname surname familyname lname last family contactlastname personlastname nachname familienname ' +
      'nomdefamille apellido apellidos cognome sobrenome achternaam etternavn efternavn efternamn nazwisko sukunimi nom',
  }),
  company_id: referenceField(toCompany, 'The company that the person works for; null: none.'),
  company_name: lineField('The name of the employer: free text, independent of `company_id`.', 300, {
    headers:
      'company companyname organisation organization organisationname organizationname org orgname account ' +
      'accountname employer business businessname firm firma firmenname unternehmen entreprise societe empresa ' +
      'azienda bedrijf personorganization associatedcompany companyororganization',
  }),
  job_title: lineField('What the person does at the company; null: not known.', 300, {
    headers:
      'jobtitle title position jobposition role jobrole designation occupation organizationtitle contacttitle ' +
      'persontitle berufsbezeichnung funktion poste fonction cargo puesto functie stanowisko beruf ' +
      'stellenbezeichnung intituleduposte puestodetrabajo functietitel',
  }),
  lifecycle_stage: lifecycleStage,
  ...consentFields,
  ...profileFields(
    'linkedin linkedinurl linkedinprofile linkedinprofileurl linkedinlink personlinkedinurl contactlinkedinurl ' +
      'linkedinbio linkedincontactprofileurl',
  ),
  ...ownerFields('The e-mail address of the member who owns the contact; null: nobody.'),
  claimed_by: claimedBy,
  ...commonFields,
}
