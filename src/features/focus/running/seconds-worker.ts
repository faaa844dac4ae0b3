// Runs as a worker: ticks every second for a page whose own timers are throttled.
setInterval(() => postMessage('tick'), 1_000)
