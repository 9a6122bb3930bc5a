/** What a file's rows become. */
export type Entity = 'contact' | 'company'

const place = {
  city:
    'city town suburb locality municipality cityname mailingcity businesscity homecity workcity addresscity ' +
    'contactcity personcity companycity stadt ort wohnort ville ciudad citta cidade plaats miasto',
  region:
    'region state province county stateregion stateprovince provincestate stateorprovince statecode mailingstate ' +
    'businessstate homestate addressstate contactstate personstate administrativearea bundesland kanton canton ' +
    'provincia estado prefecture',
  country:
    'country nation countryname countryregion countrycode mailingcountry businesscountry homecountry ' +
    'addresscountry contactcountry personcountry land pays pais paese kraj',
  tags: 'tags tag labels keywords',
  phone:
    'phone phones tel telephone telephonenumber phonenumber phonevalue phoneno mobile mobiles mobilephone mobileno ' +
    'mobilenumber mobilephonenumber cell cellphone cellnumber cellphonenumber workphone workphonenumber ' +
    'businessphone businessphonenumber homephone homephonenumber officephone directphone otherphone primaryphone ' +
    'secondaryphone contactphone personphone personphonework personphonemobile companyphone companyphonenumber ' +
    'workdirectphone phonework phonehome phonemobile telefon telefonnummer telefono telefone telefoon mobil ' +
    'mobiltelefon mobilnummer handy handynummer portable movil celular gsm msisdn whatsapp whatsappnumber',
}

const contact = {
  ...place,
  email:
    'email emails mail emailaddress emailaddresses mailaddress emailvalue emailid workemail businessemail homeemail ' +
    'workemailaddress personalemail personalemailaddress privateemail primaryemail secondaryemail otheremail ' +
    'alternateemail alternativeemail contactemail personemail personemailwork personemailhome personemailother ' +
    'companyemail courriel correo correoelectronico epost emailadresse mailadresse adresseemail adressemail',
  first_name:
    'firstname givenname forename fname first given christianname contactfirstname personfirstname vorname prenom ' +
    'nombre voornaam fornavn fornamn imie etunimi',
  last_name:
    'lastname surname familyname lname last family contactlastname personlastname nachname familienname ' +
    'nomdefamille apellido apellidos cognome sobrenome achternaam etternavn efternavn efternamn nazwisko sukunimi',
  full_name:
    'name fullname contactname personname displayname contact person completename vollername nomcomplet',
  company_name:
    'company companyname organisation organization organisationname organizationname org orgname account ' +
    'accountname employer business businessname firm firma firmenname unternehmen entreprise societe empresa ' +
    'azienda bedrijf personorganization associatedcompany companyororganization',
  job_title:
    'jobtitle title position jobposition role jobrole designation occupation organizationtitle contacttitle ' +
    'persontitle berufsbezeichnung funktion poste fonction cargo puesto functie stanowisko',
  linkedin_url:
    'linkedin linkedinurl linkedinprofile linkedinprofileurl linkedinlink personlinkedinurl contactlinkedinurl ' +
    'linkedinbio linkedincontactprofileurl',
  lifecycle_stage: 'lifecyclestage lifecycle contactlifecyclestage',
  consent_email: 'consentemail emailconsent',
  consent_phone: 'consentphone phoneconsent',
  consent_email_kind: 'consentemailkind emailconsentkind consentemailtype emailconsenttype',
  consent_phone_kind: 'consentphonekind phoneconsentkind consentphonetype phoneconsenttype',
  consent_email_source: 'consentemailsource emailconsentsource',
  consent_phone_source: 'consentphonesource phoneconsentsource',
  consent_email_at: 'consentemailat emailconsentat consentemaildate emailconsentdate',
  consent_phone_at: 'consentphoneat phoneconsentat consentphonedate phoneconsentdate',
}

const company = {
  ...place,
  name: `name fullname displayname legalname ${contact.company_name}`,
  domain: 'domain domains domainname companydomain companydomainname primarydomain emaildomain webdomain',
  website:
    'website websites web url homepage websiteurl companywebsite webpage siteweb internet webseite weburl',
  linkedin_url:
    'linkedin linkedinurl companylinkedinurl linkedincompanypage linkedincompanyurl linkedinprofile linkedinpage',
  industry: 'industry sector companyindustry branche vertical secteur sector industria',
  employee_count:
    'employeecount employees numberofemployees noofemployees headcount staff employeesize companyheadcount ' +
    'mitarbeiter mitarbeiterzahl',
}

const ids = 'id recid recordid externalid extid uuid guid crmid customerid sourceid'
const idWords = {
  contact: `${ids} contactid leadid personid userid memberid subscriberid contactexternalid`,
  company: `${ids} companyid accountid organizationid organisationid orgid companyexternalid`,
}
const vendorId =
  /^(?:hubspot|salesforce|sfdc|pipedrive|zoho|dynamics|mailchimp|intercom|stripe|marketo|activecampaign|apollo)(?:contact|lead|record|person|company|account|customer|object)*id$/

/** The fields that a user's mapping may name, besides `external_id:<source>`, `custom:<key>` and `ignore`. */
export const mappable: Record<Entity, string[]> = {
  contact: [...Object.keys(contact), 'emails', 'phones', 'company_id', 'source'].sort(),
  company: [...Object.keys(company), 'domains', 'source'].sort(),
}

const fieldOf = { contact: invert(contact), company: invert(company) }
const idOf = { contact: new Set(idWords.contact.split(' ')), company: new Set(idWords.company.split(' ')) }

/** The field that a header commonly means; `external_id` for the record's id in another system; null if none is known. */
export function commonField(header: string, entity: Entity): string | null {
  const key = header
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}]/gu, '')
  if (idOf[entity].has(key) || vendorId.test(key)) return 'external_id'
  return fieldOf[entity].get(key) ?? null
}

function invert(fields: Record<string, string>): Map<string, string> {
  return new Map(
    Object.entries(fields).flatMap(([field, words]) =>
      words.split(' ').map((word) => [word, field] as const),
    ),
  )
}
