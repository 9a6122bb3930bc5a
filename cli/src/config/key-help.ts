/** How to give a key, for errors. */
export const keyHelp = `Give the API key in one of three ways:
  crosswalk login                     asks for it, and stores it in a file that only you can read
  export CROSSWALK_API_KEY=svc_live_… for this shell, or in the settings of a CI job
  crosswalk login --command 'pass show crosswalk'   gets it from your password manager each time`

/** Where the secret of webhooks is from, for help texts. */
export const secretHelp =
  'The secret is in CROSSWALK_WEBHOOK_SECRET. If it is not set, the secret of `crosswalk listen` is used.'
