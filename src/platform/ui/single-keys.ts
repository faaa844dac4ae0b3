import { storedChoice } from './stored-choice.ts'

/** Whether single keys such as N are shortcuts: someone who speaks to the browser types them by accident (WCAG 2.1.4). */
export const singleKeysChoice = storedChoice('daymark-single-keys', ['on', 'off'])
