/**
 * Numbers move without a reload: the server says that something was stored, and the page loads its parts again. Never while
 * the reader has the focus in them, has ticked or typed something there, has selected text, has a menu or a window open, or looks
 * elsewhere: then at the next quiet moment. Can be paused.
 */
import { show } from './filters.ts'
import { announce, say } from './say.ts'

const storageKey = 'rollcall.live'
/** Numbers that change more often cannot be read. */
const atMostEveryMs = 10_000
const lookAgainMs = 1_000
/** Browsers come back by themselves after a stream that ends, but not after an answer that is none. */
const connectAgainMs = 30_000
/** How often a visible page looks for what it waits for. */
const pollEveryMs = 3_000

export function startLive(): void {
  const button = document.querySelector<HTMLButtonElement>('[data-live-switch]')
  // A past moment does not move.
  const isMoving = !new URLSearchParams(location.search).get('as_of')
  if (button === null || document.querySelector('#results[data-swap]') === null || !isMoving) return
  button.hidden = false
  let isOn = localStorage.getItem(storageKey) !== 'off'
  let source: EventSource | null = null
  let isDue = false
  /** Whether something may have been stored while the page did not listen: nobody tells it afterwards. */
  let hasMissed = false
  let loadedAt = performance.now()

  const connect = () => {
    const stream = (source = new EventSource('/live'))
    stream.addEventListener('hello', () => {
      isDue ||= hasMissed
      hasMissed = true
    })
    stream.addEventListener('moved', () => {
      isDue = true
      refresh()
    })
    stream.addEventListener('error', () => {
      hasMissed = true
      if (stream.readyState !== EventSource.CLOSED) return
      setTimeout(() => {
        if (source === stream) connect()
      }, connectAgainMs)
    })
  }
  const refresh = () => {
    if (!isDue || source === null || isReading() || performance.now() - loadedAt < atMostEveryMs) return
    // A filter chosen since may look at the past.
    if (new URLSearchParams(location.search).get('as_of')) return
    isDue = false
    loadedAt = performance.now()
    void show(new URL(location.href), false, isReading).then((isShown) => {
      if (!isShown) isDue = true
    })
  }
  const listen = () => {
    button.ariaPressed = String(isOn)
    button.title = isOn ? say('Numbers move by themselves. Press to pause.') : say('Paused. Press to let numbers move.')
    source?.close()
    source = null
    // Over plain HTTP a browser has six connections to a server for all its tabs: those in the background leave theirs to others.
    if (isOn && !document.hidden) connect()
    else hasMissed = true
  }
  button.addEventListener('click', () => {
    isOn = !isOn
    localStorage.setItem(storageKey, isOn ? 'on' : 'off')
    listen()
    announce(isOn ? say('Live') : say('Paused'))
  })
  document.addEventListener('visibilitychange', listen)
  listen()
  setInterval(refresh, lookAgainMs)
}

/** For pages that wait for something: as long as a part that changes has the mark. */
export function startPoll(): void {
  setInterval(() => {
    if (document.querySelector('[data-poll]') !== null) void show(new URL(location.href), false, isReading)
  }, pollEveryMs)
}

/** Whether loading parts again would take something from under the reader. */
function isReading(): boolean {
  const selection = getSelection()
  return (
    document.hidden ||
    document.activeElement?.closest('[data-swap]') != null ||
    [...document.querySelectorAll<HTMLInputElement>('[data-swap] input')].some(isChanged) ||
    (selection !== null && !selection.isCollapsed) ||
    document.querySelector('dialog[open], details[data-menu][open], .tip:not([hidden])') !== null
  )
}

function isChanged({ checked, defaultChecked, value, defaultValue }: HTMLInputElement): boolean {
  return checked !== defaultChecked || value !== defaultValue
}
