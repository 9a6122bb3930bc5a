// A small single-page application, as the script for web pages finds it on real sites. Its write key is in the address.
const key = new URLSearchParams(location.search).get('key')
const consentName = 'demo_consent'
const linesMax = 12

window.crosswalk ??= (...call) => {
  window.crosswalk.q ??= []
  window.crosswalk.q.push(call)
}

/** Calls the script, and shows the call. */
function call(...args) {
  window.crosswalk(...args)
  const shown = args.map((each) => JSON.stringify(each).replaceAll(',"', ', "'))
  addLine(`crosswalk(${shown.join(', ')})`, 'call')
}

function addLine(text, kind) {
  const line = document.createElement('li')
  line.className = kind
  line.textContent = text
  const calls = document.querySelector('#calls')
  calls.prepend(line)
  if (calls.children.length > linesMax) calls.lastChild.remove()
}

/** Shows what the server answers to the requests of the script. */
function watchAnswers() {
  const observer = new PerformanceObserver((list) => {
    for (const { name, responseStatus } of list.getEntries())
      if (name.endsWith('/v1/batch'))
        addLine(
          responseStatus === 200 ? 'The server stored the events.' : refusalOf(responseStatus),
          'answer',
        )
  })
  observer.observe({ type: 'resource', buffered: true })
}

const refusalOf = (status) =>
  status === 401 || status === 403
    ? `The server refused the events (${status}): is the write key valid, and does it allow this origin?`
    : `The server did not store the events yet (${status || 'no answer'}): the script tries again.`

/** Shows the page of the current path. The script records it by itself. */
function show() {
  const sections = [...document.querySelectorAll('[data-path]')]
  const shown = sections.find(({ dataset }) => dataset.path === location.pathname) ?? sections[0]
  for (const section of sections) section.hidden = section !== shown
  document.title = shown.dataset.title
  for (const link of document.querySelectorAll('header [data-page]'))
    if (link.pathname === location.pathname) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
}

function go(event) {
  event.preventDefault()
  history.pushState(null, '', event.currentTarget.pathname + location.search)
  show()
  document.querySelector('main').focus()
}

/** This page is its own consent manager. */
function readConsent() {
  const [analytics, ads] = document.querySelectorAll('fieldset input')
  const state = (box) => (box.checked ? 'granted' : 'denied')
  return { analytics_storage: state(analytics), ad_storage: state(ads) }
}

const saved = JSON.parse(localStorage.getItem(consentName) ?? 'null')
for (const box of document.querySelectorAll('fieldset input')) {
  box.checked = saved?.[box.name] === 'granted'
  box.addEventListener('change', () => {
    localStorage.setItem(consentName, JSON.stringify(readConsent()))
    call('consent', 'update', readConsent())
    showState()
  })
}
for (const link of document.querySelectorAll('[data-page]')) link.addEventListener('click', go)
for (const link of document.querySelectorAll('[data-link]'))
  if (key) link.search += `&key=${encodeURIComponent(key)}`
for (const button of document.querySelectorAll('[data-track]')) {
  const { track, product, price } = button.dataset
  button.addEventListener('click', () => call('track', track, { product, price: Number(price) }))
}
document
  .querySelector('#sign-in')
  .addEventListener('click', () => call('identify', 'demo-ada', { email: 'ada@shop.example', plan: 'trial' }))
document.querySelector('#sign-out').addEventListener('click', () => call('reset'))
addEventListener('popstate', show)
show()

function showState() {
  document.querySelector('#state').textContent = !key
    ? 'Nothing is sent: this page has no write key yet.'
    : readConsent().analytics_storage === 'denied'
      ? 'Nothing is sent until the visitor allows statistics.'
      : 'The script records a view of each page by itself, and sends events within 5 seconds.'
}

document.querySelector('#key-form').hidden = key !== null
showState()
if (key) {
  watchAnswers()
  call('consent', 'default', { analytics_storage: 'denied', ad_storage: 'denied' })
  call('init', key)
  if (saved) call('consent', 'update', saved)
}
