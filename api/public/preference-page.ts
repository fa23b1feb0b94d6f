import { escapeMarkup } from '../../src/message/template';
import { PAUSE_CHOICES } from '../../src/rules/pause';
import type { Language } from '../../src/rules/languages';
import { versionOf } from '../../src/sending/preferences';
import type { Preferences, SavedPreferences, UndoForm } from '../../src/sending/preferences';
import { framed } from './frame';
import { PAGE_TEXTS } from './page-texts';
import { nameOfTopic } from './pages';
import { LEAVE_REASONS, PREFERENCE_TEXTS } from './preference-texts';
import type { PreferenceTexts } from './preference-texts';

/** The change that was just made, which the page reports above the form. */
export type Done = Pick<SavedPreferences, 'outcome' | 'undo'> | { readonly outcome: 'on' | 'off' | 'refused' };

const hidden = (name: string, value: string): string => `<input type="hidden" name="${name}" value="${escapeMarkup(value)}">`;

class PreferencePage {
  private readonly texts: PreferenceTexts;

  constructor(
    private readonly language: Language,
    private readonly preferences: Preferences,
  ) {
    this.texts = PREFERENCE_TEXTS[language];
  }

  content(done: Done | null): string {
    const { topics, mayPause, subscribed } = this.preferences;
    const parts = [
      `<h1>${this.say(this.texts.title)}</h1>`,
      done && this.note(done),
      `<p>${this.say(this.texts.intro)}</p>`,
      subscribed ? null : this.off(),
      topics.length > 0 || mayPause ? this.choices() : null,
      subscribed ? this.leave() : null,
    ];
    return parts.filter((part) => part !== null).join('\n');
  }

  /** Returns a text as markup, with what its placeholders stand for. */
  private say(text: string, date: Date | null = null): string {
    const { sender, address } = this.preferences;
    const shown = date === null ? '' : new Intl.DateTimeFormat(this.language, { dateStyle: 'long', timeZone: 'UTC' }).format(date);
    const values: Readonly<Record<string, string>> = { sender, address, date: shown };
    return escapeMarkup(text.replaceAll(/\{(sender|address|date)\}/g, (_, name: string) => values[name] ?? ''));
  }

  private note(done: Done): string {
    const { done: left, undone, cannotUndo } = PAGE_TEXTS[this.language];
    const { saved, unchanged, outdated } = this.texts;
    const text = { saved, unchanged, outdated, on: undone[1], off: left[1], refused: cannotUndo[1] }[done.outcome];
    const undo = 'undo' in done && done.undo ? this.undo(done.undo) : '';
    return `<div class="note" role="status"><p>${this.say(text)}</p>${undo}</div>`;
  }

  private undo({ version, ticked, pause }: UndoForm): string {
    const fields = [
      hidden('version', version),
      ...[...ticked].map((topicId) => hidden('topic', topicId)),
      ...(pause === null ? [] : [hidden('pause', pause === 'none' ? pause : pause.toISOString())]),
    ];
    return `<form method="post">${fields.join('')}<button type="submit" class="quiet" name="action" value="save">${this.say(this.texts.undo)}</button></form>`;
  }

  /** Returns the markup for a person who gets no marketing mail at all. */
  private off(): string {
    if (!this.preferences.maySubscribe) return `<p class="more">${this.say(PAGE_TEXTS[this.language].cannotUndo[1])}</p>`;
    const button = `<button type="submit" name="action" value="on">${this.say(PAGE_TEXTS[this.language].undoButton)}</button>`;
    return `<p class="more">${this.say(this.texts.off)}</p>\n<form method="post">${button}</form>`;
  }

  private choices(): string {
    const button = `<button type="submit" name="action" value="save">${this.say(this.texts.save)}</button>`;
    return `<form method="post">${hidden('version', versionOf(this.preferences))}\n${this.topics()}${this.pause()}${button}</form>`;
  }

  private topics(): string {
    const { topics, locale } = this.preferences;
    if (topics.length === 0) return '';
    const boxes = topics.map(({ topic, subscribed }) => {
      const shown = nameOfTopic(topic, this.language, locale);
      const more = topic.description === null ? '' : `<small>${escapeMarkup(topic.description)}</small>`;
      const box = `<input type="checkbox" name="topic" value="${escapeMarkup(topic._id)}"${subscribed ? ' checked' : ''}>`;
      return `<label class="choice">${box}<span>${escapeMarkup(shown)}${more}</span></label>`;
    });
    return `<fieldset><legend>${this.say(this.texts.topics)}</legend>\n${boxes.join('\n')}\n</fieldset>\n`;
  }

  private pause(): string {
    const { mayPause, pausedUntil } = this.preferences;
    if (!mayPause) return '';
    const { pauses, noPause, stayPaused, resume } = this.texts;
    const choice = (value: string, text: string, checked = false): string =>
      `<label class="choice"><input type="radio" name="pause" value="${value}"${checked ? ' checked' : ''}><span>${this.say(text, pausedUntil)}</span></label>`;
    const choices = [
      choice('', pausedUntil === null ? noPause : stayPaused, true),
      ...(pausedUntil === null ? [] : [choice('none', resume)]),
      ...PAUSE_CHOICES.map((length) => choice(length, pauses[length])),
    ];
    return `<fieldset><legend>${this.say(this.texts.pause)}</legend>\n${choices.join('\n')}\n</fieldset>\n`;
  }

  private leave(): string {
    const { leave, leaveHint, reason, noReason, reasons } = this.texts;
    const options = [
      `<option value="">${this.say(noReason)}</option>`,
      ...LEAVE_REASONS.map((value) => `<option value="${value}">${this.say(reasons[value])}</option>`),
    ];
    return [
      `<form method="post" class="leave">`,
      `<label class="field">${this.say(reason)}<select name="reason">${options.join('')}</select></label>`,
      `<button type="submit" class="quiet" name="action" value="off">${this.say(leave)}</button>`,
      `<p>${this.say(leaveHint)}</p></form>`,
    ].join('\n');
  }
}

/** Returns the page where the recipient of a message chooses what they get. Every form of it posts to the page's own address. */
export function preferencePage(language: Language, preferences: Preferences, done: Done | null = null): string {
  const content = new PreferencePage(language, preferences).content(done);
  return framed({ language, title: escapeMarkup(PREFERENCE_TEXTS[language].title), brand: preferences.brand, content });
}
