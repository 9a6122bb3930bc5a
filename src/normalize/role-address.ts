// RFC 2142, and common names of shared mailboxes in several languages.
const roles: ReadonlySet<string> = new Set(
  [
    'abuse accounting accounts admin administration administrator all apply billing bookings booking buchhaltung',
    'bureau business career careers commercial compliance comptabilite contact contacto contact-us contactus contatti',
    'customer customercare customerservice customersupport desk direction dispatch editor email empfang enquiries enquiry',
    'events feedback finance frontdesk geral ftp hallo hello help helpdesk hi hola hostmaster hr info infos',
    'information inquiries inquiry invoice invoices it jobs kontakt kundenservice legal list mail mailbox mailer-daemon',
    'marketing media members moderator news newsletter no-reply noc noreply donotreply do-not-reply office ops orders',
    'order ordini operations partners payroll postmaster post poststelle praxis presse press privacy',
    'procurement purchasing reception recepcion recruiting recruitment reservations reservas root rechnung sales',
    'schule sekretariat secretariat security sekretaer service services shop spam staff store studio subscribe support',
    'team tech technik unsubscribe usenet uucp vendas ventas verkauf vertrieb webadmin webmaster welcome www zentrale',
  ].flatMap((line) => line.split(' ')),
)

/** Returns whether a lower-case address belongs to a role: info@, sales+eu@, office.berlin@, support2@. */
export function isRoleAddress(address: string): boolean {
  const local = address.slice(0, Math.max(0, address.lastIndexOf('@')))
  const name = local.replace(/\+.*$/s, '').replace(/\d+$/, '')
  return roles.has(name) || roles.has(name.split(/[._-]/, 1)[0] ?? '')
}
