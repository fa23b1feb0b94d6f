import { LRUCache } from 'lru-cache';
import { perCore } from '../../platform/core';
import { compile, isSameContent, keyOf } from './content';
import { CACHE_LIMIT_BYTES } from './limits';
import { Reused } from './skeleton';
import type { CompiledContent, ContentForMany, ContentSource } from './types';

/** Compiles contents, and keeps what is likely to be asked for again. */
export class ContentCompiler {
  private readonly reused = new Reused();
  private readonly cache = new LRUCache<string, ContentForMany>({ maxSize: CACHE_LIMIT_BYTES });
  /** The latest content: most messages of a batch share one. */
  private last: { readonly source: ContentSource; readonly content: ContentForMany } | null = null;

  /**
   * Compiles a content, cached while recently used: the same source returns the same object.
   * Throws TemplateSyntaxError with the faults of all fields.
   */
  compile(source: ContentSource): ContentForMany {
    if (this.last === null || !isSameContent(this.last.source, source)) this.last = { source, content: this.compileOnce(source) };
    return this.last.content;
  }

  /**
   * Compiles the content of a single message: it is not cached, and nothing is derived from its pieces for further messages. Keeping that would cost the garbage
   * collector more than making it did. Throws as `compile` does.
   */
  compileForOne(source: ContentSource): CompiledContent {
    return compile(source, null, this.reused).content;
  }

  private compileOnce(source: ContentSource): ContentForMany {
    const key = keyOf(source);
    const known = this.cache.get(key);
    if (known) return known;
    const { content, size } = compile(source, key, this.reused);
    this.cache.set(key, content, { size });
    return content;
  }
}

/** Returns the compiler of this process. */
export const contentCompiler = perCore(() => new ContentCompiler());
