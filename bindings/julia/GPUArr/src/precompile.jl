# What inference knows of the methods that make kernels, as part of the precompiled package: their
# arguments have types, or are never looked at by the compiler. From 1.9 on native code is kept too,
# and the translator is no longer interpreted.

function precompile_methods(part::Module, names)
    for name in names
        isdefined(part, name) && getfield(part, name) isa Function || continue
        for m in methods(getfield(part, name))
            m.module === part && m.sig isa DataType && precompile(m.sig)
        end
    end
end
if ccall(:jl_generating_output, Cint, ()) == 1
    precompile_methods(GPUArr, (:prepare!, :prepare_reduction!, :prepare_scan!, :prepare_kernel!,
        :trace, :source))
    foreach(((f, types),) -> precompile(f, types), Typed.LOOPS)
    if VERSION >= v"1.9-"
        precompile_methods(Typed, names(Typed; all = true))
        for handler in values(Typed.KNOWN)
            precompile(Tuple{typeof(handler),Typed.Body,Vector{Typed.Value},Type})
        end
    end
end
