// Runs as a worker: a tick a second, for a page whose own timers are held back.
setInterval(() => postMessage('tick'), 1_000)
