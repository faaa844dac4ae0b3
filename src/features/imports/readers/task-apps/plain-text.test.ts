import { expect, test } from 'vitest'
import { plainText } from './plain-text.ts'

test.each([
  ['5 < 6 & 7', '5 < 6 & 7'],
  ['<p>One<br>two</p><p>Three &amp; four&nbsp;&#33;</p>', 'One\ntwo\nThree & four !'],
  ['<ul><li>Milk</li><li>Bread</li></ul>', '- Milk\n- Bread'],
  ['<ul><li data-checked="true"><p>Done</p></li></ul>', '[x] Done'],
  [
    '<a href="https://a.example/?x=1">Here</a> <a href="https://b.example">https://b.example</a>',
    'Here (https://a.example/?x=1) https://b.example',
  ],
  ['<html><head><style>p{}</style></head><body>\r\nText\r\n</body></html>', 'Text'],
])('%s', (html, text) => {
  expect(plainText(html)).toBe(text)
})
