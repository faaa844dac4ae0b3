// The page does not ask for its font: it would take the line from the scripts. From here, before any other code runs, it is there and
// decoded, which costs a slow phone 100 ms, before anything is drawn.
document.fonts?.load('1em "Hanken Grotesk"').catch(() => {})
