/** The version of this script. Change it together with package.json. */
export const version = '1.1.0'
