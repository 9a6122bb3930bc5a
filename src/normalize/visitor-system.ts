/**
 * The system of the external id that a contact has from the statements of a visitor. The comparison of records ignores it:
 * two people may share a browser, and a person may have several.
 */
export const visitorSystem = 'crosswalk_visitor'
