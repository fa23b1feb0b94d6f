import type { Project } from '../../../src/records/projects/service';
import { createProject, getProject } from '../../../src/records/projects/service';
import type { ProjectKeys } from '../../../src/records/projects/service';
import type { TestApp } from '../platform/app';
import { forEachTest, forTheFile } from '../run/for-the-file';

/** Creates a project in the database that is connected. */
export const newProject = (name = 'Another'): Promise<ProjectKeys> => createProject(name);

/** Another project for each test of a file. */
export const aFreshProject = (name = 'Fresh'): ProjectKeys => forEachTest(() => createProject(name));

/** The first project of an app as it is stored when the tests of a file begin. */
export const theProjectOf = (app: TestApp): Project => forTheFile(() => getProject(app.keys.projectId));
