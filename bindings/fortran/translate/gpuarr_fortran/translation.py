"""Files as modules of kernels: decides what becomes one."""
from .launchers import Launcher
from .maps import Map, is_map
from .modules import ModuleWriter
from .nests import nests_within
from .reader import FileRefused, read_files
from .refusal import Refused
from .tester import test_program


def translate(paths, options):
    """What the command writes of these files."""
    files = read_files(options.uses + paths)
    translated = [m for m in files.modules.values() if m.file.path in paths]
    writers = [w for w in (writer_or_error(m, files) for m in translated) if w]
    if not writers:
        raise Refused(0, "there is nothing to translate: mark a loop of a module's subroutine by "
                      "!$gpuarr kernel, write it as do concurrent, or declare a procedure "
                      "elemental")
    if options.test:
        return test_program(writers, options.size)
    if options.show_source:
        return "\n".join(w.source() for w in writers)
    return "\n".join(w.text() for w in writers)


def writer_or_error(module, files):
    try:
        return module_writer(module, files)
    except Refused as refusal:
        raise FileRefused(module.file.path, refusal) from None


def module_writer(module, files):
    """The writer of a module's kernels; None for a module without any."""
    launched = [p for p in module.procedures.values() if is_launched(p)]
    mapped = [p for p in module.procedures.values() if is_mapped(p) and p not in launched]
    if not launched and not mapped:
        return None
    writer = ModuleWriter(module, files)
    for procedure in launched:
        launcher = Launcher(procedure, files)
        check_calls(launcher, launched)
        writer.add_launcher(launcher)
    for procedure in mapped:
        writer.add_map(Map(procedure, files))
    return writer


def check_calls(launcher, launched):
    """What a procedure passes arrays of the device to must take them."""
    for called, line in launcher.host.calls.items():
        if called not in launched:
            raise Refused(line, f"'{called.name}' gets arrays of the device, and has no marked "
                          "loops; mark it by !$gpuarr kernel before its subroutine or function, "
                          "and make it public")


def is_public(procedure):
    return procedure.module.exports(procedure.name)


def stays_on_host(procedure):
    directive = procedure.file.directives.get(procedure.line)
    return directive is not None and "host" in directive.words


def is_launched(procedure):
    """Whether it has marked loops or is marked itself, and users can call it."""
    if not is_public(procedure) or stays_on_host(procedure):
        return False
    directive = procedure.file.directives.get(procedure.line)
    if directive is not None and "kernel" in directive.words:
        return True
    return any(nests_within(node, procedure.file) for node in procedure.body)


def is_mapped(procedure):
    """Whether it is elemental, or pure and of scalars only."""
    return is_public(procedure) and not stays_on_host(procedure) and is_map(procedure)
